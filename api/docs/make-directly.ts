import path from 'node:path';
import { productRoot } from '../platform/product.ts';
import { makeUserGuide } from './make.ts';

/** Build step: writes `.build/guide` from the text and pictures in the source tree. */
const root = productRoot();
await makeUserGuide(path.join(root, 'api/docs/user-guide'), path.join(root, '.build/guide'));
