import { expect } from 'vitest'
import type { StepUpRequest } from '#contract/identity.ts'
import { STEP_UP_HEADER } from '#contract/step-up.ts'
import type { Browser } from '#server/test/browser.ts'

type Sent = { body?: unknown; key?: string }

/**
 * Sends a request as the bank's page does: where it is refused for want of a proof, gives `proof` and sends it again as
 * it was. A function as `proof` is asked for one then, for codes that pass.
 */
export async function sendWithProof(
  browser: Browser,
  [method, path]: readonly [method: string, path: string],
  proof: StepUpRequest | (() => StepUpRequest),
  { body, key }: Sent = {},
): Promise<Response> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  const asked = key === undefined ? {} : { key }
  const refused = await browser.send(method, path, text, asked)
  const token = refused.headers.get(STEP_UP_HEADER)
  if (refused.status !== 403 || token === null) return refused
  await refused.body?.cancel()
  const given = typeof proof === 'function' ? proof() : proof
  expect((await browser.post(`/api/v1/step-ups/${token}`, given)).status).toBe(204)
  return browser.send(method, path, text, { ...asked, headers: { [STEP_UP_HEADER]: token } })
}
