import { runBankProcess } from '#server/boot/run.ts'

await runBankProcess()
