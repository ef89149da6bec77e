'use strict';
{
  const rows = [...document.querySelectorAll('details')];
  const search = document.getElementById('search');
  const failed = document.getElementById('failed');
  const count = document.getElementById('count');
  const texts = new Map();
  const textOf = (row) => {
    if (!texts.has(row)) texts.set(row, row.textContent.toLowerCase());
    return texts.get(row);
  };
  const show = () => {
    const wanted = search.value.trim().toLowerCase();
    let shown = 0;
    for (const row of rows) {
      const fits =
        (!failed.checked || row.classList.contains('failed')) &&
        (wanted === '' || textOf(row).includes(wanted));
      row.hidden = !fits;
      if (fits) shown += 1;
    }
    count.textContent = `${shown.toLocaleString()} of ${rows.length.toLocaleString()} rows`;
    document.getElementById('none').hidden = shown > 0 || rows.length === 0;
  };
  let timer;
  search.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(show, 120);
  });
  failed.addEventListener('change', show);
  // On paper nothing can be opened; of very many rows the list has to do.
  let opened = [];
  addEventListener('beforeprint', () => {
    const shown = rows.filter((row) => !row.hidden && !row.open);
    opened = shown.length > 300 ? [] : shown;
    for (const row of opened) row.open = true;
  });
  addEventListener('afterprint', () => {
    for (const row of opened) row.open = false;
  });
  document.getElementById('tools').hidden = false;
  show();
}
