import { useLingui } from '@lingui/react/macro'
import { useNavigate } from 'react-router'

/** Returns a toast's button that opens the screen with the result. */
export function useShowAction(path: string): { label: string; onClick: () => void } {
  const { t } = useLingui()
  const navigate = useNavigate()
  return {
    label: t({ message: 'Show', comment: 'Opens the screen to which a message belongs' }),
    onClick: () => void navigate(path),
  }
}
