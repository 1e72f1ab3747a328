import { apiFetch, refusalOf } from '#web/lib/api.ts'

/** Fetches a file of the bank and hands it to the browser to keep. Throws Refusal. */
export async function download(path: string, fileName: string): Promise<void> {
  const response = await apiFetch(path)
  if (!response.ok) throw await refusalOf(response)
  saveFile(await response.blob(), fileName)
}

/** Hands a file to the browser to keep. */
export function saveFile(file: Blob, fileName: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
