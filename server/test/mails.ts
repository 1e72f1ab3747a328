import type { Deps } from '#server/platform/deps.ts'
import { mailForReader } from '#server/mail/service.ts'

export type Letter = { subject: string; text: string }

/** What was written to an address so far, the first mail first, as its reader has it. */
export async function mailsTo({ db, config }: Pick<Deps, 'db' | 'config'>, address: string): Promise<Letter[]> {
  const rows = await db.selectFrom('bank.mail').selectAll().where('recipient', '=', address).orderBy('place').execute()
  return rows.map((row) => {
    const { subject, text } = mailForReader(config, row)
    return { subject, text }
  })
}
