import { type Call, noInput } from '../http.ts';
import { byId } from '../users/model.ts';
import { newReplaySchema, replayHoursSchema, replayRunSchema } from './model.ts';

/** Runs of the signed-in user's plans over recorded hours. They buy nothing. */
export const replayCalls = {
  hours: {
    ...noInput,
    summary: 'The recorded hours with their gaps, newest first.',
    method: 'GET',
    path: '/api/replay/hours',
    access: 'user',
    output: replayHoursSchema,
  },
  start: {
    ...noInput,
    summary: 'Starts a run, and cancels the one before. It is cancelled as well when it is not read for a while.',
    errors: ['not-found', 'too-many-requests'],
    method: 'POST',
    path: '/api/replay/runs',
    access: 'user',
    body: newReplaySchema,
    output: replayRunSchema,
  },
  read: {
    ...noInput,
    summary: 'A run of the caller with its progress, and its result once it is done. Kept until the next one.',
    errors: ['not-found'],
    method: 'GET',
    path: '/api/replay/runs/{id}',
    access: 'user',
    params: byId,
    output: replayRunSchema,
  },
  cancel: {
    ...noInput,
    summary: 'Cancels a run of the caller.',
    errors: ['not-found'],
    method: 'POST',
    path: '/api/replay/runs/{id}/cancel',
    access: 'user',
    params: byId,
    output: replayRunSchema,
  },
} satisfies Record<string, Call>;
