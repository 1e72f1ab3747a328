import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'

/**
 * The token of a link that was mailed. Once read it leaves the address bar, where it could be seen, copied or sent on;
 * it stays with this entry of the history, so that a reload still knows it.
 */
export function useLinkToken(): string | null {
  const { pathname, search, state } = useLocation()
  const navigate = useNavigate()
  const asked = new URLSearchParams(search).get('token')
  const kept = (state as { token?: unknown } | null)?.token
  useEffect(() => {
    if (asked !== null) void navigate(pathname, { replace: true, state: { token: asked } })
  }, [asked, pathname, navigate])
  return asked ?? (typeof kept === 'string' ? kept : null)
}
