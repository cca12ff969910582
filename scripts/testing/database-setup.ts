import { afterAll } from 'vitest';
import { releaseDatabases } from '../../api/testing/database.ts';

// Registered before the hooks of the file, so that it runs after them.
afterAll(releaseDatabases);
