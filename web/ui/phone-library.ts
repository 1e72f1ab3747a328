import { useEffect, useState } from 'react'

type Phones = typeof import('#web/ui/phone-text.ts')

/** The form is shown first; the large library loads afterwards. */
const AFTER_MS = 300

/**
 * Returns the library of phone number formats; null until it has loaded. The library is loaded on demand, because it is large.
 */
export function usePhoneLibrary(isNeeded = true): Phones | null {
  const [phones, setPhones] = useState<Phones | null>(null)
  useEffect(() => {
    if (!isNeeded) return undefined
    // Without the library, a number stays as typed, and the server decides.
    const timer = setTimeout(() => void import('#web/ui/phone-text.ts').then(setPhones, () => {}), AFTER_MS)
    return () => clearTimeout(timer)
  }, [isNeeded])
  return phones
}
