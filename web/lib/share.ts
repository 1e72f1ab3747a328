import { toast } from '#web/lib/toast.ts'
import { t } from '@lingui/core/macro'

/** Copies a text and shows `message`. Returns whether copying succeeded. */
export async function copyText(text: string, message: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    toast.success(message)
    return true
  } catch {
    // Without permission for the clipboard, the text is shown for manual selection.
    toast.message(text, { duration: 15_000 })
    return false
  }
}

/** Opens the device's share sheet, or copies the text if there is none. */
export async function shareText(data: { title: string; text: string; url?: string }): Promise<void> {
  const fullText = data.url ? `${data.text}\n${data.url}` : data.text
  if (!navigator.share) return void (await copyText(fullText, t`Copied to clipboard`))
  try {
    await navigator.share(data)
  } catch (error) {
    // Closing the share sheet is not an error. After any other failure, the text is copied.
    if (error instanceof DOMException && error.name === 'AbortError') return
    await copyText(fullText, t`Copied to clipboard`)
  }
}
