import { storeConformance } from './conformance.ts';
import { openSqlite } from './sqlite-store.ts';

storeConformance('SQLite', openSqlite);
