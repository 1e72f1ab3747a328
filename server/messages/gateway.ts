import { inCall, traceHeaders } from '#server/platform/telemetry/trace.ts'

/** Where text messages are handed over, as SMS_URL and SMS_TOKEN say. */
export type Gateway = { url: string; token: string | null; timeoutMs: number }

export type Text = { id: string; to: string; text: string }

/**
 * Hands a text to the gateway: a POST of `{ to, text }`, with the text's id as Idempotency-Key for gateways that know
 * it. Any status of 200 to 299 means that it was taken; what else the gateway says is not read. Throws where it was not
 * taken, or not within `timeoutMs`; the error message contains neither the number nor the text.
 */
export async function postText({ url, token, timeoutMs }: Gateway, { id, to, text }: Text): Promise<void> {
  let status: number
  try {
    const response = await inCall('text', () =>
      fetch(url, {
        method: 'POST',
        headers: {
          ...traceHeaders(),
          'content-type': 'application/json',
          'idempotency-key': id,
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify({ to, text }),
        // The token is for this address alone.
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      }),
    )
    status = response.status
    await response.body?.cancel()
  } catch (error) {
    throw new Error(`The text was not taken: ${error instanceof Error ? error.name : 'unknown'}`, { cause: error })
  }
  if (status < 200 || status > 299) throw new Error(`The text was not taken: HTTP ${status}`)
}
