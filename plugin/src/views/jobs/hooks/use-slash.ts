import { useEffect } from 'react';

/** Where a slash is a part of what one types. */
const TYPED = 'input, textarea, select, [contenteditable]:not([contenteditable="false"]), [role="textbox"]';

/** The key `/` goes to a field, unless one types elsewhere or a window lies over the page. */
export function useSlash(field: React.RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { target, key, defaultPrevented, ctrlKey, metaKey, altKey } = event;
      if (key !== '/' || defaultPrevented || ctrlKey || metaKey || altKey) return;
      if (target instanceof Element && target.closest(TYPED) !== null) return;
      if (document.querySelector('[role="dialog"]') !== null || field.current === null) return;
      event.preventDefault();
      field.current.focus();
      field.current.select();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [field]);
}
