import { rotate } from '#server/boot/rotate.ts'
import { claimOf, findBank, runCommand } from '#server/cli/command.ts'

/** `npm run rotate`: everything sealed opens with BANK_SECRET alone, and no more with BANK_SECRET_PREVIOUS. Answers the exit code. */
async function main(): Promise<number> {
  const { config, ownerUrl } = await findBank()
  await rotate(claimOf(config, ownerUrl), (sentence) => console.log(sentence))
  return 0
}

await runCommand(main)
