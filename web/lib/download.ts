import { apiFetch, refusalOf } from '#web/lib/api.ts'

/** Downloads a file from the API. Throws Refusal. */
export async function download(path: string, fileName: string): Promise<void> {
  const response = await apiFetch(path)
  if (!response.ok) throw await refusalOf(response)
  saveFile(await response.blob(), fileName)
}

/** Saves a file on the device. */
export function saveFile(file: Blob, fileName: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
