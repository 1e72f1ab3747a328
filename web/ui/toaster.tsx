import { useLingui } from '@lingui/react/macro'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { useEffect } from 'react'
import { Toaster as Base, toast } from 'sonner'
import { showToasts } from '#web/lib/toast.ts'
import { Spinner } from '#web/ui/spinner.tsx'
import { useTheme } from '#web/ui/theme.ts'

/** Where toasts appear; Alt+T goes to them, a swipe to the right sends one away. */
export function Toaster() {
  const { t } = useLingui()
  const [theme] = useTheme()
  // Its own effects run first: by now it listens.
  useEffect(() => showToasts(toast), [])
  return (
    <Base
      position="bottom-right"
      hotkey={['altKey', 'KeyT']}
      containerAriaLabel={t`Notifications`}
      swipeDirections={['right']}
      theme={theme}
      // Above the tab bar, where there is one.
      offset={{ bottom: 'calc(24px + var(--tabs))', left: 24, right: 24 }}
      mobileOffset={{ bottom: 'calc(16px + var(--tabs))', left: 12, right: 12 }}
      icons={{
        success: <CircleCheck className="size-5" strokeWidth={2.2} />,
        error: <CircleAlert className="size-5" strokeWidth={2.2} />,
        loading: <Spinner className="size-4.5" />,
      }}
    />
  )
}
