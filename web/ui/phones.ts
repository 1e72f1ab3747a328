import { useEffect, useState } from 'react'

type Phones = typeof import('#web/ui/phone-text.ts')

/** What knows how the world writes phone numbers; it is large, and fetched when it is needed. Null until it is there. */
export function usePhones(needed = true): Phones | null {
  const [phones, setPhones] = useState<Phones | null>(null)
  useEffect(() => {
    // Without it a number stays as it is typed, and the bank decides.
    if (needed) import('#web/ui/phone-text.ts').then(setPhones, () => {})
  }, [needed])
  return phones
}
