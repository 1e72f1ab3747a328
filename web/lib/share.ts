import { toast } from '#web/lib/toast.ts'
import { t } from '@lingui/core/macro'

/** Copies a text and shows `message`. Returns whether it could. */
export async function copy(text: string, message: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    toast.success(message)
    return true
  } catch {
    // No permission for the clipboard: show the text, to be selected by hand.
    toast.message(text, { duration: 15_000 })
    return false
  }
}

/** Opens the device's own share sheet, or copies where there is none. */
export async function share(data: { title: string; text: string; url?: string }): Promise<void> {
  const whole = data.url ? `${data.text}\n${data.url}` : data.text
  if (!navigator.share) return void (await copy(whole, t`Copied to clipboard`))
  try {
    await navigator.share(data)
  } catch (error) {
    // Closing the share sheet is not an error; after any other failure, copy instead.
    if (error instanceof DOMException && error.name === 'AbortError') return
    await copy(whole, t`Copied to clipboard`)
  }
}
