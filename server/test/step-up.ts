import { expect } from 'vitest'
import type { StepUpRequest } from '#contract/identity.ts'
import { STEP_UP_HEADER } from '#contract/step-up.ts'
import type { Browser } from '#server/test/browser.ts'

type SendOptions = { body?: unknown; key?: string }

/**
 * Sends a request as the bank's page does. If a proof is required, it adds `proof` and sends the request again. If `proof` is a
 * function, it is called only then, because codes expire.
 */
export async function sendWithProof(
  browser: Browser,
  [method, path]: readonly [method: string, path: string],
  proof: StepUpRequest | (() => StepUpRequest),
  { body, key }: SendOptions = {},
): Promise<Response> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  const options = key === undefined ? {} : { key }
  const firstAnswer = await browser.send(method, path, text, options)
  const token = firstAnswer.headers.get(STEP_UP_HEADER)
  if (firstAnswer.status !== 403 || token === null) return firstAnswer
  await firstAnswer.body?.cancel()
  const proofValue = typeof proof === 'function' ? proof() : proof
  expect((await browser.post(`/api/v1/step-ups/${token}`, proofValue)).status).toBe(204)
  return browser.send(method, path, text, { ...options, headers: { [STEP_UP_HEADER]: token } })
}
