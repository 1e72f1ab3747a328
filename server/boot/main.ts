import { run } from '#server/boot/run.ts'

await run()
