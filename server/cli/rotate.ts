import { rotate } from '#server/boot/rotate.ts'
import { databaseClaimOf, findBank, runCommand } from '#server/cli/command.ts'

/**
 * `npm run rotate`: encrypts all encrypted values with BANK_SECRET. BANK_SECRET_PREVIOUS is then no longer needed. Returns the
 * exit code.
 */
async function main(): Promise<number> {
  const { config, ownerUrl } = await findBank()
  await rotate(databaseClaimOf(config, ownerUrl), (sentence) => console.log(sentence))
  return 0
}

await runCommand(main)
