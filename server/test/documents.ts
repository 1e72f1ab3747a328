import type { KycStep } from '#contract/documents.ts'
import type { Kyc } from '#contract/kyc.ts'
import type { Browser } from '#server/test/browser.ts'
import { jpegFile } from '#server/test/files.ts'
import type { TestServer } from '#server/test/server.ts'

/** Sends a file, as a page does. */
export type SentFile = {
  /** The request's Content-Type; none where null. */
  declared?: string | null
  body?: BodyInit
  headers?: Record<string, string>
}
export type Upload = SentFile & { step?: string; type?: string }

/** A JPEG as a passport unless told. */
export function upload(server: Pick<TestServer, 'url'>, browser: Browser, given: Upload = {}): Promise<Response> {
  const { step = 'id', type = 'passport' } = given
  return putFile(server, browser, `/api/v1/kyc/steps/${step}/document?type=${type}`, given)
}

/** A JPEG unless told. */
export async function putFile(
  server: Pick<TestServer, 'url'>,
  browser: Browser,
  path: string,
  given: SentFile = {},
): Promise<Response> {
  const { declared = 'image/jpeg', body = toBody(await jpegFile()) } = given
  const own = {
    origin: server.url,
    cookie: browser.cookie(),
    ...(declared === null ? {} : { 'content-type': declared }),
  }
  return fetch(server.url + path, {
    method: 'PUT',
    headers: { ...own, ...given.headers },
    body,
    ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
  })
}

/** fetch takes no Buffer by its type. */
export const toBody = (bytes: Buffer): BodyInit => new Uint8Array(bytes)

const TYPES = { id: 'passport', selfie: 'selfie', address: 'utility_bill' } as const satisfies Record<KycStep, string>

/** Uploads a document for each step and hands them in. */
export async function handIn(server: Pick<TestServer, 'url'>, browser: Browser): Promise<Kyc> {
  for (const [step, type] of Object.entries(TYPES)) await upload(server, browser, { step, type })
  const answer = await browser.post('/api/v1/kyc/submission', {})
  return (await answer.json()) as Kyc
}
