import { rooms } from '../../../common/live/rooms.ts';
import { useUserId } from '../../auth/session.ts';
import { useRoom } from './use-room.ts';

/** Joins the room of the signed-in user. Called once, around the signed-in pages. */
export function useUserRoom(): void {
  const userId = useUserId();
  useRoom(userId === null ? null : rooms.user(userId));
}
