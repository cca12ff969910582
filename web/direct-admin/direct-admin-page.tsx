export default function DirectAdminPage() {
  return null;
}
