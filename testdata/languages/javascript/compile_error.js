console.log(3;
