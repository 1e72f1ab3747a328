import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLocation, useNavigate, useNavigation } from 'react-router'
import { searchTextIn, withSearchText } from '#web/help/shared/address.ts'

const TYPING_PAUSE_MS = 250

/**
 * Returns the search text and its setter. The results follow each key. The address follows shortly after the last key, or when
 * the box loses the focus (`settle`), so that Back and links restore the search. An article can open meanwhile, because its own
 * address also contains the search.
 */
export function useSearch() {
  const location = useLocation()
  const navigate = useNavigate()
  const isOpening = useNavigation().state !== 'idle'
  const addressText = searchTextIn(location.search)
  const [text, setText] = useState(addressText)
  const lastSearch = useRef(addressText)

  useEffect(() => {
    // Back and forward change the address. The text in the box then follows.
    if (addressText !== lastSearch.current) {
      lastSearch.current = addressText
      setText(addressText)
    }
  }, [addressText])

  function settle(typedText: string): void {
    const search = withSearchText(location.search, typedText)
    if (isOpening || searchTextIn(search) === lastSearch.current) return
    lastSearch.current = searchTextIn(search)
    void navigate(
      { pathname: location.pathname, search },
      { replace: true, preventScrollReset: true, state: location.state as unknown },
    )
  }
  const settleLater = useEffectEvent(settle)
  useEffect(() => {
    if (isOpening) return undefined
    const timer = setTimeout(() => settleLater(text), TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text, isOpening])

  return { text, setText, settle: () => settle(text) }
}
