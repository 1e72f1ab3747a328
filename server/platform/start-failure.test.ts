import { expect, test } from 'vitest'
import { explainStartFailure } from '#server/platform/start-failure.ts'
import { StartError } from '#server/platform/process/start-error.ts'

const errorWith = (message: string, more: object) => Object.assign(new Error(message), more)

test.each([
  [new StartError('As it stands.'), 'As it stands.'],
  [
    errorWith('ENOSPC: no space left on device', { code: 'ENOSPC', path: '/data/x' }),
    'There is no space left on the disk for /data/x.',
  ],
  [
    errorWith('EROFS: read-only', { code: 'EROFS', path: '/x' }),
    '/x is on a disk that is read-only; set DATA_DIR to a folder that can be written.',
  ],
  [
    errorWith('could not extend file', { code: '53100' }),
    'The database does not let Alder work: could not extend file.',
  ],
  [
    errorWith('cannot execute GRANT in a read-only transaction', { code: '25006' }),
    'The database does not let Alder work: cannot execute GRANT in a read-only transaction.',
  ],
  [
    errorWith('unsupported startup parameter: options', { code: '08P01' }),
    'The database does not let Alder work: unsupported startup parameter: options.',
  ],
  [
    new AggregateError([errorWith('connect ECONNREFUSED ::1:1', { code: 'ECONNREFUSED' })]),
    'The database does not let Alder work: connect ECONNREFUSED ::1:1.',
  ],
  [
    new Error('The migration 0001 failed', { cause: errorWith('permission denied for schema x', { code: '42501' }) }),
    'The role in DATABASE_URL lacks a right: permission denied for schema x.',
  ],
])('%s is reported in one sentence', (error, sentence) => {
  expect(explainStartFailure(error)).toBe(sentence)
})

test.each([new TypeError('a fault of ours'), 'not an error', null])('%s is not hidden', (error) => {
  expect(explainStartFailure(error)).toBeNull()
})
