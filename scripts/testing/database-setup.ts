import { afterAll } from 'vitest';
// A connection that a test opens itself must not wait forever for a server that the test kills.
import '../../api/platform/write-until-close.ts';
import { releaseDatabases } from '../../api/testing/database.ts';

// Registered before the hooks of the file, so that it runs after them.
afterAll(releaseDatabases);
