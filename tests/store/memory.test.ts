import { storeConformance } from './conformance.ts';
import { openMemory } from './in-memory-store.ts';

storeConformance('the store in memory', openMemory);
