import type { Deps } from '#server/platform/deps.ts'
import { mailForReader, selectMails } from '#server/mail/service.ts'

export type ReceivedMail = { subject: string; text: string }

/** Returns the mails to an address, oldest first, as their reader sees them. */
export async function mailsTo(
  deps: Pick<Deps, 'db' | 'config' | 'translations'>,
  address: string,
): Promise<ReceivedMail[]> {
  const rows = await selectMails(deps).where('m.recipient', '=', address).orderBy('m.place').execute()
  return rows.map((row) => {
    const { subject, text } = mailForReader(deps, row)
    return { subject, text }
  })
}
