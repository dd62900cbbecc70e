import { describe, expect, it } from 'vitest';
import { type Switches, selectDestination } from '../../../src/core/model/selection.ts';

const ON: Switches = {
  destinationEnabled: true,
  sourceWebhooks: true,
  sourceName: 'ios-app',
  webhookCount: 2,
  eventsOff: new Set(['Heartbeat']),
};
const select = (integrations: string | null, switches: Partial<Switches> = {}) =>
  selectDestination(integrations === null ? null : JSON.parse(integrations), { ...ON, ...switches });

describe('what integrations select', () => {
  it.each([
    [null, null],
    ['{}', null],
    ['{"Webhooks":true}', null],
    ['{"Webhooks":{"a":1}}', null],
    ['{"Webhooks":null}', null],
    ['{"Webhooks":0}', null],
    ['{"Webhooks":""}', null],
    ['{"Webhooks":false}', 'integrations_off'],
    ['{"All":true,"Webhooks":false}', 'integrations_off'],
    ['{"All":true}', null],
    ['{"All":false}', 'integrations_all_off'],
    ['{"All":null}', null],
    ['{"All":false,"Webhooks":true}', null],
    ['{"All":false,"Webhooks":{}}', null],
    ['{"All":false,"Webhooks":null}', null],
    ['{"all":false}', 'integrations_all_off'],
    ['{"ALL":false}', 'integrations_all_off'],
    ['{"all":false,"Webhooks":true}', null],
    ['{"All":true,"all":false}', null],
    ['{"all":true,"All":false}', 'integrations_all_off'],
    ['{"All":false,"webhooks":true}', 'integrations_all_off'],
    ['{"webhooks":false}', null],
    ['{"null":false}', null],
    ['{"Segment.io":true,"All":false,"Webhooks":true}', null],
    ['{"Segment.io":true}', null],
    ['{"__proto__":false,"constructor":false}', null],
    ['{"__proto__":{"All":false,"Webhooks":false}}', null],
  ])('%s gives %s', (integrations, reason) => {
    expect(select(integrations).reason).toBe(reason);
  });
});

describe('what is noted', () => {
  it('all in lower case counts and is noted', () => {
    expect(select('{"all":false}').notes).toEqual([
      { code: 'integrations_lower_case_all', field: 'integrations.all', detail: 'All' },
    ]);
    expect(select('{"all":true}').notes).toHaveLength(1);
  });

  it.each(['webhooks', 'WebHooks', 'WEBHOOKS', 'Webhook', 'web_hooks', 'Web hooks'])(
    'the near miss %s does nothing and is noted with the right spelling',
    (key) => {
      const near = select(JSON.stringify({ All: false, [key]: true }));
      expect(near.reason).toBe('integrations_all_off');
      expect(near.detail).toBe(`The integrations key is "${key}"; the name is case sensitive: Webhooks.`);
      expect(near.notes).toEqual([
        { code: 'integrations_near_miss', field: `integrations.${key}`, detail: 'Webhooks' },
      ]);
    },
  );

  it.each(['{}', '{"All":true}', '{"Webhooks":true,"webhooks":false}', '{"Webhooks (Actions)":true}', '{"Mail":1}'])(
    'nothing for %s',
    (integrations) => {
      expect(select(integrations).notes).toEqual([]);
    },
  );
});

describe('the whole answer', () => {
  const miss = { code: 'integrations_near_miss', field: 'integrations.webhook', detail: 'Webhooks' };
  const lower = { code: 'integrations_lower_case_all', field: 'integrations.all', detail: 'All' };

  it.each([
    ['{"Webhooks":false,"webhook":true}', { reason: 'integrations_off', detail: null, notes: [] }],
    ['{"All":false}', { reason: 'integrations_all_off', detail: null, notes: [] }],
    ['{"all":false}', { reason: 'integrations_all_off', detail: null, notes: [lower] }],
    ['{"webhook":false}', { reason: null, detail: null, notes: [miss] }],
    ['{"All":true,"webhook":false}', { reason: null, detail: null, notes: [miss] }],
    ['{"all":true,"webhook":false,"webhooks":1}', { reason: null, detail: null, notes: [lower, miss] }],
    // As long as a key that counts, and another word.
    ['{"abc":false,"Mixpanel":false,"GoogleAds":false}', { reason: null, detail: null, notes: [] }],
    // Spelled right once blanks are gone, but shorter or longer than people write it.
    ['{"w-e-b-h-o-o-k-s":false,"hooks":false}', { reason: null, detail: null, notes: [] }],
    ['{"web--hooks":false}', { reason: null, detail: null, notes: [{ ...miss, field: 'integrations.web--hooks' }] }],
  ])('to %s', (integrations, answer) => {
    expect(select(integrations)).toEqual(answer);
  });
});

describe('the switches', () => {
  it.each([
    [{ destinationEnabled: false }, 'destination_off', null],
    [{ sourceWebhooks: false }, 'source_destination_off', 'ios-app'],
    [{ webhookCount: 0 }, 'no_webhook', null],
    [{ destinationEnabled: false, sourceWebhooks: false, webhookCount: 0 }, 'destination_off', null],
  ])('%j gives %s', (switches, reason, detail) => {
    expect(select('{"Webhooks":true}', switches)).toMatchObject({ reason, detail });
  });

  it('say more than integrations do, whose notes are kept', () => {
    const chosen = select('{"all":false}', { webhookCount: 0 });
    expect(chosen.reason).toBe('no_webhook');
    expect(chosen.notes).toHaveLength(1);
  });
});

describe('track events that the source has switched off', () => {
  const selectEvent = (event: string | null, over: Partial<Switches> = {}, integrations: object = {}) =>
    selectDestination(integrations as never, { ...ON, ...over }, event).reason;

  it.each([
    ['Heartbeat', 'event_off'],
    ['heartbeat', null],
    ['Heartbeat ', null],
    ['Heart', null],
    ['', null],
    ['__proto__', null],
    ['constructor', null],
    [null, null],
  ])('%j is %s: names are compared exactly', (event, reason) => {
    expect(selectEvent(event)).toBe(reason);
  });

  it('come after the switches of destination and source, and before integrations, whose notes stay', () => {
    expect(selectEvent('Heartbeat', { destinationEnabled: false })).toBe('destination_off');
    expect(selectEvent('Heartbeat', { sourceWebhooks: false })).toBe('source_destination_off');
    expect(selectEvent('Heartbeat', { webhookCount: 0 })).toBe('no_webhook');
    expect(selectEvent('Heartbeat', {}, { Webhooks: false })).toBe('event_off');
    expect(selectEvent('Heartbeat', {}, { Webhooks: true })).toBe('event_off');
    expect(selectDestination({ webhooks: true }, ON, 'Heartbeat').notes).toHaveLength(1);
  });
});
