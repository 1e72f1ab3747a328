import type { KycStep } from '#contract/documents.ts'
import type { Kyc } from '#contract/kyc.ts'
import type { Browser } from '#server/test/browser.ts'
import { jpegFile } from '#server/test/files.ts'
import type { TestServer } from '#server/test/server.ts'

/** A file upload as a page sends it. */
export type SentFile = {
  /** The request's Content-Type; none if null. */
  declared?: string | null
  body?: BodyInit
  headers?: Record<string, string>
}
export type Upload = SentFile & { step?: string; type?: string }

/** Uploads a document; a JPEG as a passport by default. */
export function uploadTestDocument(
  server: Pick<TestServer, 'url'>,
  browser: Browser,
  upload: Upload = {},
): Promise<Response> {
  const { step = 'id', type = 'passport' } = upload
  return putFile(server, browser, `/api/v1/kyc/steps/${step}/document?type=${type}`, upload)
}

/** Sends a file; a JPEG by default. */
export async function putFile(
  server: Pick<TestServer, 'url'>,
  browser: Browser,
  path: string,
  file: SentFile = {},
): Promise<Response> {
  const { declared = 'image/jpeg', body = toBody(await jpegFile()) } = file
  const headers = {
    origin: server.url,
    cookie: browser.cookie(),
    ...(declared === null ? {} : { 'content-type': declared }),
  }
  return fetch(server.url + path, {
    method: 'PUT',
    headers: { ...headers, ...file.headers },
    body,
    ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
  })
}

/** The type of fetch does not accept a Buffer. */
export const toBody = (bytes: Buffer): BodyInit => new Uint8Array(bytes)

const TYPES = { id: 'passport', selfie: 'selfie', address: 'utility_bill' } as const satisfies Record<KycStep, string>

/** Uploads a document for each step and submits them. */
export async function submitAllDocuments(server: Pick<TestServer, 'url'>, browser: Browser): Promise<Kyc> {
  for (const [step, type] of Object.entries(TYPES)) await uploadTestDocument(server, browser, { step, type })
  const answer = await browser.post('/api/v1/kyc/submission', {})
  return (await answer.json()) as Kyc
}
