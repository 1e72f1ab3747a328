import { refusalOf } from '#web/lib/api.ts'

/** Waits for a successful response whose body is not needed. Throws Refusal. */
export async function expectNoContent(
  pending: Promise<Pick<Response, 'ok' | 'status' | 'json' | 'headers'>>,
): Promise<void> {
  const response = await pending
  if (!response.ok) throw await refusalOf(response)
}
