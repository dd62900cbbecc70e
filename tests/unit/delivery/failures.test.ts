import { describe, expect, test } from 'vitest';
import { codeOf, detailOf, failureOf, noConnection } from '../../../src/core/delivery/transport/failures.ts';

const coded = (code: unknown, message = 'in its words', more: object = {}): Error =>
  Object.assign(new Error(message), { code }, more);

describe('the reason of a failure', () => {
  test.each([
    ['ECONNREFUSED', 'connection_refused'],
    ['ECONNRESET', 'connection_reset'],
    ['ECONNABORTED', 'connection_reset'],
    ['EPIPE', 'connection_reset'],
    ['ENOTFOUND', 'dns_failed'],
    ['EAI_AGAIN', 'dns_failed'],
    ['EHOSTUNREACH', 'unreachable'],
    ['EHOSTDOWN', 'unreachable'],
    ['ENETUNREACH', 'unreachable'],
    ['ENETDOWN', 'unreachable'],
    ['EADDRNOTAVAIL', 'unreachable'],
    ['ETIMEDOUT', 'unreachable'],
    ['EPROTO', 'tls_failed'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls_failed'],
    ['ERR_TLS_DH_PARAM_SIZE', 'tls_failed'],
    ['EMFILE', 'connection_error'],
    ['X_ERR_SSL_', 'connection_error'],
    ['', 'connection_error'],
  ])('of the code %s is %s', (code, reason) => {
    expect(failureOf(coded(code))).toMatchObject({ outcome: 'no_connection', reason });
  });

  test.each(['text', undefined, null, { code: 'ECONNREFUSED' }])('of %j, which is no error, is not known', (thrown) => {
    expect(failureOf(thrown).reason).toBe('connection_error');
  });
});

describe('the detail of a failure', () => {
  test.each([
    [coded('ECONNREFUSED', 'connect refused'), 'ECONNREFUSED: connect refused'],
    [coded('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:1'), 'connect ECONNREFUSED 127.0.0.1:1'],
    [
      coded('ERR_SSL_X', 'ssl/record/file.c:300', { reason: 'wrong version number' }),
      'ERR_SSL_X: wrong version number',
    ],
    [coded('ERR_SSL_X', 'words', { reason: 7 }), 'ERR_SSL_X: words'],
    [coded(5, 'words'), 'words'],
    [new Error('words'), 'words'],
    [new Error(' two\n\tlines  '), 'two lines'],
    [
      coded('CERT', 'unable to verify; if the root CA is installed locally, try running Node.js with --use-system-ca'),
      'CERT: unable to verify',
    ],
    [' as\nit was', 'as it was'],
    [undefined, 'undefined'],
  ])('%s reads %j', (error, detail) => {
    expect(detailOf(error)).toBe(detail);
  });

  test('is cut at 500 characters', () => {
    expect(detailOf(new Error('x'.repeat(501)))).toBe('x'.repeat(500));
    expect(noConnection('dns_failed', `a\n${'y'.repeat(600)}`)).toEqual({
      outcome: 'no_connection',
      reason: 'dns_failed',
      detail: `a ${'y'.repeat(498)}`,
    });
  });
});

test.each([
  [coded('A'), 'A'],
  [coded(5), ''],
  [new Error('x'), ''],
  [{ code: 'A' }, ''],
])('the code of %s is %j', (error, code) => {
  expect(codeOf(error)).toBe(code);
});
