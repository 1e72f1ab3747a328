import { bankFetch, refusalOf } from '#web/lib/client.ts'

/** Fetches a file of the bank and hands it to the browser to keep. Throws Refusal. */
export async function download(path: string, fileName: string): Promise<void> {
  const answer = await bankFetch(path)
  if (!answer.ok) throw await refusalOf(answer)
  keep(await answer.blob(), fileName)
}

/** Hands a file to the browser to keep. */
export function keep(file: Blob, fileName: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
