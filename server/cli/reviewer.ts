import { parseArgs } from 'node:util'
import { readContact } from '#server/identity/customers/contact.ts'
import { findBank, runCommand } from '#server/cli/command.ts'
import { connectAsOwner } from '#server/platform/db/record.ts'
import { StartError } from '#server/platform/process/start-error.ts'

const USAGE = 'Usage: npm run reviewer -- ann@example.com [--remove]'
/** The exit code where the command was not understood. */
const MISUSED = 2

/** The customer, and whether to give or take the role. Null where the arguments do not say. */
function readArguments(args: string[]): { email: string; remove: boolean } | null {
  try {
    const { values, positionals } = parseArgs({
      args,
      options: { remove: { type: 'boolean', default: false } },
      allowPositionals: true,
    })
    const [email] = positionals
    return email !== undefined && positionals.length === 1 ? { email, remove: values.remove } : null
  } catch {
    return null
  }
}

/** `npm run reviewer`: makes a customer a reviewer of identity documents, or ends that. Answers the exit code. */
async function main(): Promise<number> {
  const asked = readArguments(process.argv.slice(2))
  if (!asked) {
    console.error(USAGE)
    return MISUSED
  }
  const contact = readContact(asked.email)
  if (contact?.kind !== 'email') {
    console.error(`"${asked.email}" is not an email address. ${USAGE}`)
    return MISUSED
  }
  // The owner's role: the one that serves has no right to give a role.
  const { ownerUrl } = await findBank()
  console.log(await setRole(ownerUrl, contact.value, asked.remove ? 'customer' : 'reviewer'))
  return 0
}

/** Gives the one customer whose confirmed email this is a role, and answers the sentence that says so. Throws StartError. */
async function setRole(ownerUrl: string, email: string, role: 'customer' | 'reviewer'): Promise<string> {
  const client = await connectAsOwner(ownerUrl)
  try {
    const { rows } = await client.query<{ full_name: string; role: string }>(
      `WITH found AS (
         SELECT id, full_name, role FROM bank.customer
          WHERE email = $1 AND email_confirmed_at IS NOT NULL AND closed_at IS NULL FOR UPDATE
       ), given AS (
         UPDATE bank.customer c SET role = $2 FROM found WHERE c.id = found.id AND c.role <> $2
       )
       SELECT full_name, role FROM found`,
      [email, role],
    )
    const [customer] = rows
    if (!customer) throw new StartError(`No customer has the email ${email}, or it is not confirmed.`)
    const who = `${customer.full_name} (${email})`
    if (customer.role === role) return `${who} ${role === 'reviewer' ? 'is a reviewer already' : 'is no reviewer'}.`
    return role === 'reviewer' ? `${who} is a reviewer now.` : `${who} is no reviewer any more.`
  } finally {
    await client.end()
  }
}

await runCommand(main)
