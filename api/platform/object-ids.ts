import { Types } from 'mongoose';
import { SECOND } from '../../common/time.ts';

/** Returns the lowest id of the second that a time (epoch ms) is in: ids begin with the time at which they were made. */
export function idAt(at: number): Types.ObjectId {
  return Types.ObjectId.createFromTime(Math.floor(at / SECOND));
}
