import { toast } from 'sonner'
import { isCalledOff, messageOf } from '#web/lib/client.ts'

/** What a person reads where something was not done; null where it was, or where they called it off themselves. */
export function whyNot(error: unknown): string | null {
  return error === null || isCalledOff(error) ? null : messageOf(error)
}

/** Says it in a toast. */
export function tellRefusal(error: unknown): void {
  const message = whyNot(error)
  if (message !== null) toast.error(message)
}
