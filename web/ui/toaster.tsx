import { useLingui } from '@lingui/react/macro'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { useEffect, useSyncExternalStore } from 'react'
import { Toaster as Base, toast } from 'sonner'
import { showToasts } from '#web/lib/toast.ts'
import { Spinner } from '#web/ui/spinner.tsx'
import { useTheme } from '#web/ui/theme.ts'

/** Where sheets, too, come up from the bottom edge (sheet-panel.tsx). */
const PHONE = '(width < 40rem)'

function subscribeToWidth(listener: () => void): () => void {
  const query = matchMedia(PHONE)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/**
 * Where toasts appear; Alt+T goes to them, a swipe to the right sends one away. On a phone they would lie at the bottom
 * on the button that is pressed next, and so stand over the screen's title.
 */
export function Toaster() {
  const { t } = useLingui()
  const [theme] = useTheme()
  const isPhone = useSyncExternalStore(subscribeToWidth, () => matchMedia(PHONE).matches)
  // Its own effects run first: by now it listens.
  useEffect(() => showToasts(toast), [])
  return (
    <Base
      position={isPhone ? 'top-center' : 'bottom-right'}
      hotkey={['altKey', 'KeyT']}
      containerAriaLabel={t`Notifications`}
      swipeDirections={['right']}
      theme={theme}
      offset={24}
      mobileOffset={{ top: 'calc(env(safe-area-inset-top) + 0.5rem)', left: 12, right: 12 }}
      icons={{
        success: <CircleCheck className="size-5" strokeWidth={2.2} />,
        error: <CircleAlert className="size-5" strokeWidth={2.2} />,
        loading: <Spinner className="size-4.5" />,
      }}
    />
  )
}
