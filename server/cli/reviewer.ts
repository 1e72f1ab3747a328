import { parseArgs } from 'node:util'
import { readContact } from '#server/identity/customers/contact.ts'
import { findBank, runCommand } from '#server/cli/command.ts'
import { connectAsOwner } from '#server/platform/db/database-identity.ts'
import { StartError } from '#server/platform/process/start-error.ts'

const USAGE = 'Usage: npm run reviewer -- ann@example.com [--remove]'
/** The exit code for invalid arguments. */
const MISUSED = 2

/** Reads the customer's email address, and whether to remove the role. Returns null if the arguments are invalid. */
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

/** `npm run reviewer`: makes a customer a reviewer of identity documents, or removes the role. Returns the exit code. */
async function main(): Promise<number> {
  const args = readArguments(process.argv.slice(2))
  if (!args) {
    console.error(USAGE)
    return MISUSED
  }
  const contact = readContact(args.email)
  if (contact?.kind !== 'email') {
    console.error(`"${args.email}" is not an email address. ${USAGE}`)
    return MISUSED
  }
  // The owner's role is needed, because the serving role may not assign roles.
  const { ownerUrl } = await findBank()
  console.log(await setRole(ownerUrl, contact.value, args.remove ? 'customer' : 'reviewer'))
  return 0
}

/** Assigns a role to the customer with this confirmed email, and returns a sentence that confirms it. Throws StartError. */
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
    const customerText = `${customer.full_name} (${email})`
    if (customer.role === role)
      return `${customerText} ${role === 'reviewer' ? 'is a reviewer already' : 'is no reviewer'}.`
    return role === 'reviewer' ? `${customerText} is a reviewer now.` : `${customerText} is no longer a reviewer.`
  } finally {
    await client.end()
  }
}

await runCommand(main)
