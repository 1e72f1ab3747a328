import { inCall, traceHeaders } from '#server/platform/telemetry/trace.ts'

/** The gateway for text messages, from the settings SMS_URL and SMS_TOKEN. */
export type Gateway = { url: string; token: string | null; timeoutMs: number }

export type Text = { id: string; to: string; text: string }

/**
 * Sends a text to the gateway: a POST of `{ to, text }`, with the text's id as Idempotency-Key for gateways that support it.
 * Any status of 200 to 299 means that the gateway accepted it; the rest of the response is ignored. Throws if the gateway does
 * not accept the text within `timeoutMs`. The error message contains neither the number nor the text.
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
        // A redirect is not followed, because the token is for this address only.
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      }),
    )
    status = response.status
    await response.body?.cancel()
  } catch (error) {
    throw new Error(`The text was not accepted: ${error instanceof Error ? error.name : 'unknown'}`, { cause: error })
  }
  if (status < 200 || status > 299) throw new Error(`The text was not accepted: HTTP ${status}`)
}
