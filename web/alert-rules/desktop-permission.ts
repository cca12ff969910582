/** Whether the browser shows notifications: `default` before the user was asked. */
export type DesktopPermission = NotificationPermission | 'unsupported';

/** The constructor that refused a notification of a page: Chrome on Android grants permission, but then throws. */
let refusing: typeof Notification | null = null;

export function desktopPermission(): DesktopPermission {
  return typeof Notification === 'undefined' || refusing === Notification ? 'unsupported' : Notification.permission;
}

/** Asks the user for permission. Only for a click: browsers refuse other questions. */
export async function requestDesktopPermission(): Promise<DesktopPermission> {
  // Without permission it shows nothing, but already fails where it could show nothing with it either.
  if (desktopPermission() === 'unsupported' || createNotification('Mintwatch') === null) return 'unsupported';
  return Notification.requestPermission();
}

/** Shows a notification, where it is permitted. Returns null when the browser has none for pages. */
export function createNotification(title: string, options?: NotificationOptions): Notification | null {
  try {
    return new Notification(title, options);
  } catch {
    refusing = Notification;
    return null;
  }
}
