import { refusalOf } from '#web/lib/api.ts'

/** Waits for what is answered with nothing but yes. Throws Refusal. */
export async function done(asked: Promise<Pick<Response, 'ok' | 'status' | 'json' | 'headers'>>): Promise<void> {
  const response = await asked
  if (!response.ok) throw await refusalOf(response)
}
