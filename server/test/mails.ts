import type { Deps } from '#server/platform/deps.ts'
import { mailForReader, selectMails } from '#server/mail/service.ts'

export type Letter = { subject: string; text: string }

/** What was written to an address so far, the first mail first, as its reader has it. */
export async function mailsTo(deps: Pick<Deps, 'db' | 'config' | 'translations'>, address: string): Promise<Letter[]> {
  const rows = await selectMails(deps).where('m.recipient', '=', address).orderBy('m.place').execute()
  return rows.map((row) => {
    const { subject, text } = mailForReader(deps, row)
    return { subject, text }
  })
}
