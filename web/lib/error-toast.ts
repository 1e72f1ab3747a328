import { toast } from 'sonner'
import { isCancelled, messageOf } from '#web/lib/api.ts'

/** What a person reads where something was not done; null where it was, or where they called it off themselves. */
export function errorMessage(error: unknown): string | null {
  return error === null || isCancelled(error) ? null : messageOf(error)
}

/** Says it in a toast. */
export function toastError(error: unknown): void {
  const message = errorMessage(error)
  if (message !== null) toast.error(message)
}
