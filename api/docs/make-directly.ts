import path from 'node:path';
import { productRoot } from '../platform/product.ts';
import { makeUserGuide } from './make.ts';

/** What a build runs: makes `.build/guide` from the text and pictures beside this file's sources. */
const root = productRoot();
await makeUserGuide(path.join(root, 'api/docs/user-guide'), path.join(root, '.build/guide'));
