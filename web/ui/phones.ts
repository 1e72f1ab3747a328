import { useEffect, useState } from 'react'

type Phones = typeof import('#web/ui/phone-text.ts')

/** The form itself is shown first, and what is large comes after. */
const AFTER_MS = 300

/** What knows how the world writes phone numbers; it is large, and fetched when it is needed. Null until it is there. */
export function usePhones(needed = true): Phones | null {
  const [phones, setPhones] = useState<Phones | null>(null)
  useEffect(() => {
    if (!needed) return undefined
    // Without it a number stays as it is typed, and the bank decides.
    const timer = setTimeout(() => void import('#web/ui/phone-text.ts').then(setPhones, () => {}), AFTER_MS)
    return () => clearTimeout(timer)
  }, [needed])
  return phones
}
