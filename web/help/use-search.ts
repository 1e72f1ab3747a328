import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLocation, useNavigate, useNavigation } from 'react-router'
import { searchedIn, withSearched } from '#web/help/shared/address.ts'

const TYPING_PAUSE_MS = 250

/**
 * What is searched for. The screen follows each key; the address does a moment after the last one, or once the box is left
 * (`settle`), so that Back and a link come to the same search. An article that is being opened meanwhile is not held up: its
 * own address has the search, too.
 */
export function useSearch() {
  const location = useLocation()
  const navigate = useNavigate()
  const isOpening = useNavigation().state !== 'idle'
  const shown = searchedIn(location.search)
  const [text, setText] = useState(shown)
  const sent = useRef(shown)

  useEffect(() => {
    // Back and forward change the address under the box: it then follows.
    if (shown !== sent.current) {
      sent.current = shown
      setText(shown)
    }
  }, [shown])

  function settle(typed: string): void {
    const search = withSearched(location.search, typed)
    if (isOpening || searchedIn(search) === sent.current) return
    sent.current = searchedIn(search)
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
