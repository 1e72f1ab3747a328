import { afterAll, beforeAll, expect, test } from 'vitest'
import { EVENTS_PATH } from '#server/rails/provider.ts'
import { sign } from '#server/platform/signature.ts'
import { testServer, type TestServer } from '#server/test/server.ts'

const [currentSecret, earlierSecret, otherSecret] = ['now', 'before', 'others'].map(
  (name) => `a secret of the ${name}, and long enough`,
)

let server: TestServer
beforeAll(async () => {
  server = await testServer({
    config: {
      mode: 'live',
      cardSchemeSecret: currentSecret ?? null,
      previousCardSchemeSecret: earlierSecret ?? null,
      rail: {
        url: 'http://localhost:9',
        secret: currentSecret ?? '',
        previousSecret: earlierSecret,
        methods: ['bank'],
        timeoutMs: 200,
      },
    },
  })
})
afterAll(() => server.close())

/** Returns the code of the bank's refusal of a signed but invalid message. */
async function codeOf(path: string, secret = ''): Promise<string> {
  const { timestamp, signature } = sign(secret, '{}', server.deps.clock.realNow())
  const headers = { 'content-type': 'application/json', 'alder-timestamp': timestamp, 'alder-signature': signature }
  const answer = await fetch(server.url + path, { method: 'POST', headers, body: '{}' })
  return ((await answer.json()) as { error: { code: string } }).error.code
}

test.each(['/hooks/cards', EVENTS_PATH])(
  '%s accepts signatures with either secret during a rotation, and no others',
  async (path) => {
    expect(await codeOf(path, currentSecret)).toBe('request_invalid')
    expect(await codeOf(path, earlierSecret)).toBe('request_invalid')
    expect(await codeOf(path, otherSecret)).toBe('signature_refused')
  },
)
