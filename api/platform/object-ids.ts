import { Types } from 'mongoose';
import { SECOND } from '../../common/time.ts';

/** Returns the lowest id of the second that contains a time (epoch ms). Ids begin with their time of creation. */
export function idAt(at: number): Types.ObjectId {
  return Types.ObjectId.createFromTime(Math.floor(at / SECOND));
}
