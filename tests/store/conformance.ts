/** What any store must do, capability by capability. */
import { describe } from 'vitest';
import { audiencesConformance } from './audiences-conformance.ts';
import { deletionsConformance, suppressionsConformance } from './deletions-conformance.ts';
import { detailsConformance } from './details-conformance.ts';
import { dueConformance } from './due-conformance.ts';
import { erasureConformance } from './erasure-conformance.ts';
import { filtersConformance } from './filters-conformance.ts';
import { ingestConformance } from './ingest-conformance.ts';
import { listsConformance } from './lists-conformance.ts';
import { metricsConformance } from './metrics-conformance.ts';
import { recoveryConformance } from './recovery-conformance.ts';
import { replaysConformance } from './replays-conformance.ts';
import { retentionConformance } from './retention-conformance.ts';
import { roundsConformance } from './rounds-conformance.ts';
import { receiversConformance, sourceEventsConformance } from './small-conformance.ts';
import type { OpenStore } from './store-under-test.ts';
import { syncsConformance } from './syncs-conformance.ts';
import { textsConformance } from './texts-conformance.ts';
import { turnConformance } from './turn-conformance.ts';
import { userCallsConformance } from './user-calls-conformance.ts';
import { workspaceConformance } from './workspace-conformance.ts';
import { writerConformance } from './writer-conformance.ts';

export function storeConformance(name: string, openStore: OpenStore): void {
  describe(name, () => {
    writerConformance(openStore);
    describe('ingest', () => ingestConformance(openStore));
    describe('the requests of one turn', () => turnConformance(openStore));
    describe('lists', () => listsConformance(openStore));
    describe('lists', () => filtersConformance(openStore));
    describe('lists', () => textsConformance(openStore));
    describe('details', () => detailsConformance(openStore));
    describe('the workspace', () => workspaceConformance(openStore));
    describe('due', () => dueConformance(openStore));
    describe('rounds', () => roundsConformance(openStore));
    describe('replays', () => replaysConformance(openStore));
    describe('recovery', () => recoveryConformance(openStore));
    describe('retention', () => retentionConformance(openStore));
    describe('metrics', () => metricsConformance(openStore));
    describe('audiences', () => audiencesConformance(openStore));
    describe('syncs', () => syncsConformance(openStore));
    describe('deletions', () => deletionsConformance(openStore));
    describe('erasure', () => erasureConformance(openStore));
    describe('the calls of users', () => userCallsConformance(openStore));
    suppressionsConformance(openStore);
    receiversConformance(openStore);
    sourceEventsConformance(openStore);
  });
}
