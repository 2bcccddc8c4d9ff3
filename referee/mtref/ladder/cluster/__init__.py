"""Referees on other machines. What travels is in `parcel`, what runs there in `remote`, who asks for it in `dask`."""
